import { bareNumber } from './numbers.ts';
import { Binary, T, regexParts, typeOf, type Document, type ObjectId, type Timestamp } from './types.ts';

function showDouble(value: number): string {
  if (Number.isNaN(value)) return 'nan.0';
  if (!Number.isFinite(value)) return value < 0 ? '-inf.0' : 'inf.0';
  if (Object.is(value, -0)) return '-0.0';
  if (!Number.isInteger(value)) return String(value);
  return Math.abs(value) < 1e15 ? `${value}.0` : String(value);
}

function showBytes(value: unknown): string {
  const binary = value instanceof Binary ? value : new Binary(value as Uint8Array);
  return `BinData(${binary.sub_type}, ${Buffer.from(binary.value()).toString('hex').toUpperCase()})`;
}

function showRare(type: number, value: unknown): string {
  switch (type) {
    case T.binData:
      return showBytes(value);
    case T.regex: {
      const { pattern, options } = regexParts(value);
      return `/${pattern}/${options}`;
    }
    case T.timestamp:
      return `Timestamp(${(value as Timestamp).t}, ${(value as Timestamp).i})`;
    case T.minKey:
      return 'MinKey';
    default:
      return 'MaxKey';
  }
}

/** A value as the server writes it in messages: `{ a: 1 }`, `[ 1, "x" ]`, `ObjectId('…')`, `new Date(0)`, `1.0`. */
export function showValue(value: unknown): string {
  const type = typeOf(value);
  switch (type) {
    case T.string:
      return `"${value as string}"`;
    case T.int:
    case T.long:
      return String(bareNumber(value));
    case T.double:
      return showDouble(bareNumber(value) as number);
    case T.object:
      return showDocument(value as Document);
    case T.array:
      return (value as unknown[]).length === 0
        ? '[]'
        : `[ ${(value as unknown[]).map(showValue).join(', ')} ]`;
    case T.objectId:
      return `ObjectId('${(value as ObjectId).toHexString()}')`;
    case T.bool:
      return String(value);
    case T.date:
      return `new Date(${(value as Date).getTime()})`;
    case T.null:
      return 'null';
    default:
      return showRare(type, value);
  }
}

/** A document as the server writes it in messages, `{}` when empty. */
export function showDocument(doc: Document): string {
  const fields = Object.keys(doc).map((key) => `${key}: ${showValue(doc[key])}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
