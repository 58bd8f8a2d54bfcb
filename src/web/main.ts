/**
 * The page's one script: in the document it is the page, and in a worker made from its own text it verifies.
 *
 * @module
 */
import { startPage } from "./page.ts";
import { isWorker, serve } from "./worker.ts";

/** The path that the page itself takes, for tests that bring what no file can hold. */
export { verifyEvidence } from "./verify.ts";
export { loadSha256 } from "../hash/mod.ts";

/** The version, put in by the build. */
declare const AFFIDAVIT_VERSION: string;

if (isWorker()) serve();
else startPage(document.currentScript?.textContent ?? "", AFFIDAVIT_VERSION);
