/**
 * Installs the dependencies when they are missing or older than package-lock.json, so that every
 * npm script works in a bare clone. Plain JavaScript without dependencies, since it runs before
 * anything is installed; a few milliseconds when there is nothing to do. Standard output stays
 * empty, because `conformance serve` speaks its line protocol there.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, "node_modules", ".affidavit-setup");
const lockFolder = join(root, ".setup-lock");
const ownerFile = join(lockFolder, "pid");
const maxWaitMs = 600_000;

/** The stamp of an up-to-date installation: what was asked for, and for which machine. */
function wantedStamp() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const digest = createHash("sha256").update(lock).digest("hex");
  return `${digest} ${process.platform}-${process.arch}\n`;
}

function readOr(path, fallback) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return fallback;
  }
}

function isInstalled(stamp) {
  return readOr(stampFile, "") === stamp;
}

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** True when the process that holds the lock has died, or has never written its number. */
function isAbandoned() {
  const pid = Number(readOr(ownerFile, "0"));
  try {
    if (pid === 0) return Date.now() - statSync(lockFolder).mtimeMs > 5_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}

/** Renames before removing: of two processes that find the same dead lock, one wins the rename. */
function breakLock() {
  const grave = `${lockFolder}-${process.pid}`;
  try {
    renameSync(lockFolder, grave);
    rmSync(grave, { recursive: true });
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function takeLock() {
  for (const end = Date.now() + maxWaitMs; Date.now() < end; pause(100)) {
    try {
      mkdirSync(lockFolder);
      writeFileSync(ownerFile, String(process.pid));
      return;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
      if (isAbandoned()) breakLock();
    }
  }
  throw new Error(
    `Waiting for another installation: ${lockFolder} is still there after 10 minutes`,
  );
}

function announcement() {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  const list = (packages) =>
    Object.entries(packages).map(([name, version]) => `${name} ${version}`).join(", ");
  return `Installing into node_modules/, as package-lock.json has changed or this is the first run.\n` +
    `  The library needs: ${list(dependencies)}\n` +
    `  Tests and tools need: ${list(devDependencies)}`;
}

function install(stamp) {
  process.stderr.write(`${announcement()}\n`);
  const npm = process.env.npm_execpath;
  const [command, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const args = [...first, "ci", "--include=dev", "--no-audit", "--no-fund"];
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ci: ended with status ${status}`);
  writeFileSync(stampFile, stamp);
}

const stamp = wantedStamp();
if (!isInstalled(stamp)) {
  takeLock();
  try {
    if (!isInstalled(stamp)) install(stamp);
  } finally {
    rmSync(lockFolder, { recursive: true, force: true });
  }
}
