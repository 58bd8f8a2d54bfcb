/**
 * The duties of the port `Directory`, one case each.
 *
 * @module
 */
import { decodeUtf8, IoError } from "../core/mod.ts";
import type { Directory } from "../ports/mod.ts";
import {
  add,
  expect,
  expectSystemCode,
  failureOf,
  get,
  look,
  put,
  writeText,
} from "./_suite_trial.ts";
import type { StoreCase, StoreHost } from "./suite.ts";

/** The cases. */
export const directoryCases: readonly StoreCase[] = [
  duty("make() makes the directory and does not mind that it is there", async ({ directory }) => {
    await directory.make();
    await put(directory, "a", "1");
    await directory.make();
    expect("a file made before", await get(directory, "a"), "1");
  }),
  {
    name: "in a missing directory names are absent and nothing can be made or opened",
    async run(makeHost) {
      const host = await makeHost();
      const { directory } = host;
      const calls = [
        () => directory.openNew("a", 0o644),
        () => directory.openRead("a"),
        () => directory.openAppend("a"),
        () => directory.link("a", "b"),
        () => directory.rename("a", "b"),
        () => directory.remove("a"),
        () => directory.sync(),
      ];
      for (const call of calls) expect(`${call}`, await failureOf(host, call()), "ENOENT");
      expect("a name", await look(directory, "a", true), null);
      expect("a name, links not followed", await look(directory, "a", false), null);
    },
  },
  duty("failures are IoErrors that name the operation", async ({ directory }) => {
    const error = await directory.remove("a").catch((thrown: unknown) => thrown);
    expect("remove() of nothing is an IoError", error instanceof IoError, true);
    expect("its operation is named", Boolean((error as IoError).operation), true);
  }),
  duty("inspect() tells kinds and sizes, and follows links only when told", async (host) => {
    const { directory } = host;
    await put(directory, "file", "four");
    await host.plant("folder", "directory");
    await host.plant("link", "link", "file");
    await host.plant("dangling", "link", "nothing");
    await host.plant("circle", "link", "circle");
    const file = { kind: "file", size: 4 }, folder = { kind: "directory" }, link = { kind: "link" };
    const expected: Record<string, unknown[]> = {
      file: [file, file],
      folder: [folder, folder],
      link: [file, link],
      dangling: [null, link],
      circle: [null, link],
      nothing: [null, null],
    };
    if (await host.plant("other", "other")) {
      expected["other"] = [{ kind: "other" }, { kind: "other" }];
    }
    for (const [name, [followed, itself]] of Object.entries(expected)) {
      expect(`"${name}", followed`, await look(directory, name, true), followed);
      expect(`"${name}" itself`, await look(directory, name, false), itself);
    }
  }),
  duty("identities are the same exactly for the same file", async (host) => {
    const { directory } = host;
    await put(directory, "a", "1");
    await put(directory, "b", "1");
    await directory.link("a", "second");
    await host.plant("link", "link", "a");
    const identity = async (name: string, follow: boolean) =>
      (await directory.inspect(name, follow))?.identity;
    const file = await directory.openRead("a");
    const opened = (await file.inspect()).identity;
    const same = async (what: string, name: string, follow: boolean, expected: boolean) =>
      expect(what, await identity(name, follow) === opened, expected);
    await same("an open file and its name", "a", true, true);
    await same("a name and another of the same file", "second", false, true);
    await same("a link and its file, followed", "link", true, true);
    await same("a link itself and its file", "link", false, false);
    await same("two files of the same bytes", "b", true, false);
    await add(directory, "a", "2");
    await same("a file that grew", "a", true, true);
    await directory.remove("second");
    await directory.remove("a");
    await put(directory, "a", "1");
    await same("a file made anew, while the old one is open", "a", true, false);
    await file.close();
  }),
  duty("openNew() makes an empty file and never takes a name in use", async (host) => {
    const { directory } = host;
    await (await directory.openNew("new", 0o600)).close();
    expect("the new file", await look(directory, "new", false), { kind: "file", size: 0 });
    for (const name of await namesInUse(host)) {
      const found = await failureOf(host, directory.openNew(name, 0o644));
      expect(`openNew() of a ${name}`, found, "EEXIST");
    }
    expect("a file in use", await get(directory, "file"), "file");
    expect("what a dangling link leads to", await look(directory, "nothing", false), null);
  }),
  duty("openRead() reads from the start to the end, in windows of any size", async (host) => {
    const { directory } = host;
    await put(directory, "a", "0123456789");
    await host.plant("link", "link", "a");
    for (const name of ["a", "link"]) {
      for (const size of [1, 3, 10, 64]) {
        expect(`"${name}" by ${size}`, await readBy(directory, name, size), "0123456789");
      }
    }
  }),
  duty("openRead() and openAppend() open regular files only", async (host) => {
    const { directory } = host;
    const refused = { absent: "ENOENT", dangling: "ENOENT", directory: "EINVAL", other: "EINVAL" };
    await host.plant("dangling", "link", "nothing");
    await host.plant("directory", "directory");
    const hasOther = await host.plant("other", "other");
    for (const [name, code] of Object.entries(refused)) {
      if (name === "other" && !hasOther) continue;
      expect(`openRead() of ${name}`, await failureOf(host, directory.openRead(name)), code);
      expect(`openAppend() of ${name}`, await failureOf(host, directory.openAppend(name)), code);
    }
    expect("what a dangling link leads to", await look(directory, "nothing", false), null);
  }),
  duty("openAppend() writes to the end, wherever that has moved to", async (host) => {
    const { directory } = host;
    await put(directory, "a", "1");
    await host.plant("link", "link", "a");
    const [one, two] = [await directory.openAppend("a"), await directory.openAppend("link")];
    await writeText(one, "22");
    await writeText(two, "333");
    await writeText(one, "4444");
    await one.sync();
    await one.close();
    await two.close();
    expect("the file", await get(directory, "a"), "1223334444");
    expect("its size", await look(directory, "a", true), { kind: "file", size: 10 });
  }),
  duty("an open file tells its size as it grows and outlives its name", async ({ directory }) => {
    await put(directory, "a", "old");
    await put(directory, "b", "new");
    const [reader, writer] = [await directory.openRead("a"), await directory.openAppend("a")];
    await writeText(writer, "er");
    expect("size", (await reader.inspect()).size, 5);
    await directory.rename("b", "a");
    await writeText(writer, "!");
    const window = new Uint8Array(16);
    const count = await reader.read(window);
    expect("the open file", decodeUtf8(window.subarray(0, count)), "older!");
    expect("the file at its name", await get(directory, "a"), "new");
    await directory.remove("a");
    expect("size without a name", (await reader.inspect()).size, 6);
    await reader.close();
    await writer.close();
  }),
  duty("link() gives a second name and never takes one in use", async (host) => {
    const { directory } = host;
    await put(directory, "a", "1");
    await directory.link("a", "b");
    await directory.remove("a");
    expect("the second name", await get(directory, "b"), "1");
    expect("link() of nothing", await failureOf(host, directory.link("a", "c")), "ENOENT");
    for (const name of await namesInUse(host)) {
      expect(`link() to a ${name}`, await failureOf(host, directory.link("b", name)), "EEXIST");
    }
    expect("a file in use", await get(directory, "file"), "file");
  }),
  duty("rename() takes the place of files and links, not of directories", async (host) => {
    const { directory } = host;
    await put(directory, "file", "old");
    await host.plant("link", "link", "file");
    await host.plant("directory", "directory");
    await put(directory, "a", "1");
    await directory.rename("a", "link");
    expect("the old name", await look(directory, "a", false), null);
    expect("the link's place", await get(directory, "link"), "1");
    expect("what the link led to", await get(directory, "file"), "old");
    await directory.rename("link", "file");
    expect("the file's place", await get(directory, "file"), "1");
    const code = await failureOf(host, directory.rename("file", "directory"));
    expectSystemCode("rename() over a directory", code);
    expect("the directory", await look(directory, "directory", false), { kind: "directory" });
    expect("the file", await get(directory, "file"), "1");
    expect("rename() of nothing", await failureOf(host, directory.rename("a", "file")), "ENOENT");
  }),
  duty("remove() removes a name, of a link not its file, and no directory", async (host) => {
    const { directory } = host;
    const names = (await namesInUse(host)).filter((name) => name !== "directory");
    await host.plant("link", "link", "file");
    for (const name of ["link", ...names]) {
      await directory.remove(name);
      expect(name, await look(directory, name, false), null);
      if (name === "link") expect("what it led to", await get(directory, "file"), "file");
    }
    expect("remove() of nothing", await failureOf(host, directory.remove("file")), "ENOENT");
    const code = await failureOf(host, directory.remove("directory"));
    expectSystemCode("remove() of a directory", code);
    expect("the directory", await look(directory, "directory", false), { kind: "directory" });
  }),
  duty("sync() of a file and of the directory return", async ({ directory }) => {
    const file = await directory.openNew("a", 0o644);
    await writeText(file, "1");
    await file.sync();
    await file.close();
    await directory.sync();
    expect("the file", await get(directory, "a"), "1");
  }),
  duty("locate() gives labels apart for names apart", ({ directory }) => {
    const [a, b] = [directory.locate("a"), directory.locate("b")];
    expect("labels apart", a !== b && a.startsWith(directory.label), true);
    return Promise.resolve();
  }),
];

/** A case in a directory that exists. */
function duty(name: string, check: (host: StoreHost) => Promise<void>): StoreCase {
  return {
    name,
    async run(makeHost) {
      const host = await makeHost();
      await host.directory.make();
      await check(host);
    },
  };
}

/** One name of each form that a name can be in use. */
async function namesInUse(host: StoreHost): Promise<string[]> {
  await put(host.directory, "file", "file");
  await host.plant("directory", "directory");
  await host.plant("dangling link", "link", "nothing");
  const names = ["file", "directory", "dangling link"];
  return await host.plant("other", "other") ? [...names, "other"] : names;
}

async function readBy(directory: Directory, name: string, size: number): Promise<string> {
  const file = await directory.openRead(name);
  const window = new Uint8Array(size);
  let text = "";
  for (let count = await file.read(window); count > 0; count = await file.read(window)) {
    text += decodeUtf8(window.subarray(0, count));
  }
  expect("read() at the end", await file.read(window), 0);
  await file.close();
  return text;
}
