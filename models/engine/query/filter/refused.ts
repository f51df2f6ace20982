import { EngineError, unsupported } from '../../errors.ts';

const GEO = new Set(['$geoWithin', '$geoIntersects', '$within']);
const NEAR = new Set(['$near', '$nearSphere', '$geoNear']);

/** The error for an operator of a field that the engine does not do, or that does not exist. */
export function refusedOperator(op: string): EngineError {
  if (NEAR.has(op))
    return new EngineError('NoQueryExecutionPlans', 'unable to find index for $geoNear query');
  if (GEO.has(op)) return unsupported(op);
  return new EngineError('BadValue', `unknown operator: ${op}`);
}

/** The error for an operator at the top of a filter that the engine does not do, or that does not exist. */
export function refusedTopLevel(op: string): EngineError {
  switch (op) {
    case '$text':
      return new EngineError('IndexNotFound', 'text index required for $text query');
    case '$where':
      return new EngineError('BadValue', 'no globalScriptEngine in $where parsing');
    case '$jsonSchema':
    case '$sampleRate':
      return unsupported(op);
    default:
      return new EngineError(
        'BadValue',
        `unknown top level operator: ${op}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
  }
}
