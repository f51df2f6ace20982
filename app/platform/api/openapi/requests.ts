import type { JsonSchema } from '#app/platform/api/json-schema.ts';
import type { Operation } from '#app/platform/api/operation.ts';
import type { SchemaBook } from './schemas.ts';

type Json = Record<string, unknown>;

function parameter(place: 'path' | 'query', name: string, schema: JsonSchema, required: boolean): Json {
  const { description, ...rest } = schema;
  const list = rest['type'] === 'array' ? { style: 'form', explode: false } : {};
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    ...list,
    schema: rest,
  };
}

function parametersIn(place: 'path' | 'query', schema: JsonSchema): Json[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) =>
    parameter(place, name, property, place === 'path' || required.includes(name)),
  );
}

/** What stands in the address and in the headers of a call. */
export function parametersOf(operation: Operation, book: SchemaBook): Json[] {
  const { params, query, scope, access, isList } = operation;
  const headers = [
    ...(scope === 'write' && access !== 'public' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(isList ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
  return [
    ...parametersIn('path', book.write(params, 'input')),
    ...parametersIn('query', book.write(query, 'input')),
    ...headers,
  ];
}

/** The body of a call, undefined when it has none. */
export function requestBodyOf(operation: Operation, book: SchemaBook): Json | undefined {
  const { body, upload, example } = operation;
  if (upload) {
    const file = { type: 'string', format: 'binary', description: upload.description };
    const schema = { type: 'object', properties: { [upload.field]: file }, required: [upload.field] };
    const bodies = (upload.asBody ?? []).map((type) => {
      const plain = type === 'application/json' ? { type: 'object' } : { type: 'string' };
      const example = upload.bodyExamples?.[type] ?? (type === 'application/json' ? {} : '');
      return [type, { schema: { ...plain, description: upload.description }, example }];
    });
    const content = { 'multipart/form-data': { schema }, ...(Object.fromEntries(bodies) as Json) };
    return { required: true, content };
  }
  if (body === null) return undefined;
  const schema = book.write(body, 'input');
  const required = (schema.required ?? []).length > 0;
  return { required, content: { 'application/json': { schema, example: example.body ?? {} } } };
}
