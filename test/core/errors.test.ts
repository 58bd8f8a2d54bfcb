import { suite } from "uvu";
import * as assert from "uvu/assert";
import { codeOf, EvidenceError, fail, formatPointer, IoError, ok } from "../../src/core/mod.ts";
import { describe } from "../lib/thrown.ts";

const errors = suite("errors and results");

errors("an EvidenceError carries its code, its class's name and its cause", () => {
  class CapsuleFault extends EvidenceError {}
  const cause = new Error("below");
  const error = new CapsuleFault("capsule.busy", "Appending: locked", { cause });
  assert.equal(describe(error), {
    name: "CapsuleFault",
    code: "capsule.busy",
    message: "Appending: locked",
  });
  assert.is(error.cause, cause);
  assert.is("cause" in new EvidenceError("a.b", "c"), false);
});

errors("an IoError says which operation failed", () => {
  const error = new IoError("ENOSPC", "write", "Writing the journal: no space");
  assert.equal([error.name, error.code, error.operation], ["IoError", "ENOSPC", "write"]);
  assert.instance(error, EvidenceError);
});

errors("codeOf() gives a code that is text, of anything thrown", () => {
  const thrown: unknown[] = [{ code: 5 }, { code: undefined }, {}, null, undefined, "ENOENT", 5];
  assert.equal(thrown.map(codeOf), thrown.map(() => undefined));
  assert.is(codeOf(new EvidenceError("a.b", "c")), "a.b");
  assert.is(codeOf({ code: "ENOENT" }), "ENOENT");
});

errors("ok() and fail() have no member that does not apply", () => {
  assert.equal(ok(undefined), { ok: true, value: undefined });
  assert.equal(fail("a.b", "why"), { ok: false, code: "a.b", reason: "why" });
  assert.equal(fail("a.b", "why", { entry: 0 }), {
    ok: false,
    code: "a.b",
    reason: "why",
    at: { entry: 0 },
  });
});

errors("formatPointer() escapes ~ and / in names", () => {
  assert.is(formatPointer([]), "");
  assert.is(formatPointer(["a/b", 0, "m~n", "", "~1"]), "/a~1b/0/m~0n//~01");
});

errors.run();
