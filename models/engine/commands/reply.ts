import type { EngineError } from '../errors.ts';
import { Double, type Document } from '../values/types.ts';

const OK = new Double(1);
const NOT_OK = new Double(0);

/** A command's answer with its `ok`. */
export function succeeded(fields: Document): Document {
  return { ...fields, ok: OK };
}

/** An error as a whole command's answer. */
export function failedReply(error: EngineError, labels: string[] = error.labels): Document {
  return {
    ok: NOT_OK,
    errmsg: error.message,
    code: error.code,
    codeName: error.codeName,
    ...error.extra,
    ...(labels.length > 0 ? { errorLabels: labels } : {}),
  };
}

/** An error as one entry of `writeErrors`. */
export function writeErrorEntry(index: number, error: EngineError): Document {
  return { index, code: error.code, ...error.extra, errmsg: error.message };
}
