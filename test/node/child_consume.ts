/**
 * A consumer of its own: `child_consume.ts DIRECTORY COUNT` asks for the slots 1 to COUNT in turn, each with a measurement
 * and nonce that all consumers share, and prints which it was given.
 *
 * @module
 */
import process from "node:process";
import { consumptionStoreAt } from "../../src/node/mod.ts";

const [path = "", count = ""] = process.argv.slice(2);
const store = consumptionStoreAt(path);
const given: number[] = [];
for (let index = 1; index <= Number(count); index++) {
  const taken = await store.consume({
    measurement_id: `m-${index}`,
    attempt_nonce: `n-${index}`,
    repeat_slot: ["sha256:spec", BigInt(index)],
  });
  if (taken === null) given.push(index);
  else if (taken !== "measurement_id") throw new Error(`${taken} was taken alone`);
}
console.log(JSON.stringify(given));
