import { suite } from "uvu";
import { storeSuite } from "../../src/store/mod.ts";
import { makeDisk } from "./disk.ts";

const disk = makeDisk();
const onDisk = suite("directoryAt() passes the store suite");

for (const { name, run } of storeSuite) onDisk(name, () => run(disk.host));

onDisk.after(disk.clear);

onDisk.run();
