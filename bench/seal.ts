/**
 * Sealing ten thousand small files, and one of 2 GiB.
 *
 * @module
 */
import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FileDeclaration } from "../src/deliverable/mod.ts";
import { sealDeliverable } from "../src/node/mod.ts";
import { compare } from "./measure.ts";
import type { Bench } from "./measure.ts";

const GIB = 1024 ** 3;
const limits = { max_files: 10_000, max_file_bytes: 4 * GIB, max_total_bytes: 8 * GIB };
const digest = "0".repeat(64);
const bindings = { task_sha256: digest, run_sha256: digest, config_sha256: digest };

/** The bench. */
export const bench: Bench = {
  question:
    "What does sealing cost, which reads all twice, hashes twice and copies, against sha256sum and cp -r of the same tree?",
  async *run() {
    const folder = mkdtempSync(join(tmpdir(), "affidavit-bench-"));
    try {
      for (const [what, rounds, write] of CASES) {
        const source = join(folder, "source");
        const files = write(source);
        const peak = new Peak();
        const timings = await compare(contenders(folder, source, files, peak), rounds);
        yield { what: `${what}; memory at most ${peak.megabytes} MB above the start`, timings };
        clear(source);
      }
    } finally {
      clear(folder);
    }
  },
};

const CASES: [string, number, (source: string) => FileDeclaration[]][] = [
  ["10,000 files of 1 to 4 KB in 100 directories", 3, writeMany],
  ["one file of 2 GiB", 1, writeLarge],
];

function contenders(
  folder: string,
  source: string,
  files: FileDeclaration[],
  peak: Peak,
): Parameters<typeof compare>[0] {
  const [copy, sealed] = [join(folder, "copy"), join(folder, "sealed")];
  const prepare = (): void => [copy, sealed].forEach(clear);
  const hashAll = `find . -type f -print0 | xargs -0 sha256sum > ../sums`;
  return [
    {
      name: "sha256sum and cp -r",
      prepare,
      run: () => {
        execFileSync("sh", ["-c", hashAll], { cwd: source });
        execFileSync("cp", ["-r", source, copy]);
      },
    },
    {
      name: "sealDeliverable()",
      prepare: () => {
        prepare();
        peak.start();
      },
      run: async () => {
        const result = await sealDeliverable(source, sealed, files, bindings, { limits });
        if (!result.ok) throw new Error(`Sealing: ${result.code}`);
        peak.stop();
      },
    },
  ];
}

function writeMany(source: string): FileDeclaration[] {
  return Array.from({ length: 10_000 }, (_, index) => {
    const file = declare(`d${index % 100}/f${index}.txt`);
    mkdirSync(dirname(join(source, file.source_path)), { recursive: true });
    writeFileSync(join(source, file.source_path), `${index}\n`.repeat(200 + index % 500));
    return file;
  });
}

function writeLarge(source: string): FileDeclaration[] {
  const file = declare("large.bin");
  mkdirSync(source);
  const descriptor = openSync(join(source, file.source_path), "w");
  const block = new Uint8Array(1 << 24).map((_, index) => index * 31 >> 3);
  for (let written = 0; written < 2 * GIB;) written += writeSync(descriptor, block);
  closeSync(descriptor);
  return [file];
}

function declare(path: string): FileDeclaration {
  const media_type = "application/octet-stream";
  return { artifact_id: path, source_path: path, path, media_type, max_size_bytes: 4 * GIB };
}

function clear(path: string): void {
  if (!existsSync(path)) return;
  execFileSync("chmod", ["-R", "u+w", path]);
  rmSync(path, { recursive: true });
}

/** The peak of resident memory between start and stop, above what it was at the start; Linux tells, others do not. */
class Peak {
  megabytes = 0;
  #before = 0;

  start(): void {
    if (!existsSync("/proc/self/clear_refs")) return;
    writeFileSync("/proc/self/clear_refs", "5"); // the peak becomes what it is now
    this.#before = readPeak();
  }

  stop(): void {
    if (!existsSync("/proc/self/clear_refs")) return;
    this.megabytes = Math.max(this.megabytes, Math.round((readPeak() - this.#before) / 1000));
  }
}

function readPeak(): number {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
}
