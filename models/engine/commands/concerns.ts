import { EngineError } from '../errors.ts';
import { isDocument, isNumeric, type Document } from '../values/types.ts';
import type { Command } from './command.ts';
import { typeMismatch } from './fields.ts';
import { toNumber } from './numbers.ts';

const READ_LEVELS = new Set(['local', 'available', 'majority', 'linearizable', 'snapshot']);

/**
 * Checks a command's `readConcern`. One node that answers only what is on disk gives every level but `snapshot`,
 * which would need the past.
 * @throws EngineError 9, 14 or 72
 */
export function checkReadConcern(command: Command, concern: unknown): void {
  if (concern === undefined || concern === null) return;
  if (!isDocument(concern)) throw typeMismatch(`${command.name}.readConcern`, concern, 'object');
  const { level } = concern;
  if (level === undefined) return;
  if (typeof level !== 'string') throw typeMismatch('readConcern.level', level, 'string');
  if (!READ_LEVELS.has(level))
    throw new EngineError(
      'BadValue',
      `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`,
    );
  if (level === 'snapshot')
    throw new EngineError('InvalidOptions', "readConcern 'snapshot' is not supported by the embedded engine");
  if (!command.reads && level !== 'local') {
    throw new EngineError(
      'InvalidOptions',
      `Command does not support { readConcern: { level: "${level}" } }: '${command.name}' does not support read concern '${level}'`,
    );
  }
}

/**
 * Checks a command's `writeConcern`; the answer is the error that goes beside a write that was done (`writeConcernError`),
 * or null. Every write is on disk before it is answered, so any concern one node can satisfy is satisfied.
 * @throws EngineError 9, 14 or 72
 */
export function checkWriteConcern(command: Command, concern: unknown): Document | null {
  if (concern === undefined || concern === null) return null;
  if (!isDocument(concern)) throw typeMismatch(`${command.name}.writeConcern`, concern, 'object');
  if (!command.writes)
    throw new EngineError('InvalidOptions', `Command ${command.name} does not support writeConcern`);
  for (const name of ['j', 'journal', 'fsync']) {
    const value = concern[name];
    if (value !== undefined && typeof value !== 'boolean' && !isNumeric(value))
      throw typeMismatch(`writeConcern.${name}`, value, 'bool');
  }
  const { w } = concern;
  if (w === undefined || w === 'majority') return null;
  if (typeof w === 'string') {
    return {
      code: 79,
      codeName: 'UnknownReplWriteConcern',
      errmsg: `No write concern mode named '${w}' found in replica set configuration`,
    };
  }
  if (!isNumeric(w)) throw new EngineError('FailedToParse', 'w has to be a number, string, or object');
  const nodes = toNumber(w);
  if (nodes < 0 || nodes > 50)
    throw new EngineError('FailedToParse', 'w has to be a non-negative number and not greater than 50');
  if (nodes <= 1) return null;
  return { code: 100, codeName: 'UnsatisfiableWriteConcern', errmsg: 'Not enough data-bearing nodes' };
}
