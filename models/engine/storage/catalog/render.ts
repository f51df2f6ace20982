import {
  type BSONSymbol,
  Double,
  Int32,
  T,
  regexParts,
  typeOf,
  type Binary,
  type Document,
  type ObjectId,
  type Timestamp,
} from '../../values/types.ts';

function renderDouble(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(1) : String(value);
}

function renderNumber(value: unknown): string {
  if (typeof value === 'number') return typeOf(value) === T.int ? String(value) : renderDouble(value);
  if (value instanceof Double) return renderDouble(value.value);
  return value instanceof Int32 ? String(value.value) : String(value);
}

function renderRare(type: number, value: unknown): string {
  switch (type) {
    case T.binData:
      return `BinData(${(value as Binary).sub_type ?? 0}, ${Buffer.from((value as Binary).buffer)
        .toString('hex')
        .toUpperCase()})`;
    case T.timestamp:
      return `Timestamp(${(value as Timestamp).high >>> 0}, ${(value as Timestamp).low >>> 0})`;
    case T.regex: {
      const { pattern, options } = regexParts(value);
      return `/${pattern}/${options}`;
    }
    case T.symbol:
      return JSON.stringify((value as BSONSymbol).value);
    case T.minKey:
      return 'MinKey';
    case T.maxKey:
      return 'MaxKey';
    case T.null:
      return 'null';
    default:
      return 'undefined';
  }
}

/** A value as the server writes it into its messages: `"a"`, `1.0`, `ObjectId('…')`, `{ a: 1 }`. */
export function renderValue(value: unknown): string {
  const type = typeOf(value);
  switch (type) {
    case T.string:
      return `"${value as string}"`;
    case T.int:
    case T.long:
    case T.double:
    case T.decimal:
      return renderNumber(value);
    case T.object:
      return renderDocument(value as Document);
    case T.array:
      return `[ ${(value as unknown[]).map(renderValue).join(', ')} ]`;
    case T.objectId:
      return `ObjectId('${(value as ObjectId).toHexString()}')`;
    case T.bool:
      return String(value);
    case T.date:
      return `new Date(${(value as Date).getTime()})`;
    default:
      return renderRare(type, value);
  }
}

/** A document as the server writes it into its messages: `{ email: "a", n: 1 }`. */
export function renderDocument(doc: Document): string {
  const fields = Object.entries(doc).map(([key, value]) => `${key}: ${renderValue(value)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
