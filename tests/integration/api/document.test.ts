import * as z from 'zod';
import { GLOSSARY_WORDS } from '#app/domain/api-glossary.ts';
import { WEBHOOK_TYPES } from '#app/domain/webhooks/webhook.ts';
import { inVersion30 } from '#app/platform/api/openapi/version-3-0.ts';
import { describe, expect, it } from 'vitest';
import { apiContents, documentedCall } from '#app/platform/api/openapi/page.ts';
import { CALLS, DOCUMENT, faultsOf, resolved } from './document.ts';

/** The consistency of the API document. */

/** Every value of a key, at any depth. */
function valuesOf(key: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => [
    ...(name === key ? [entry as unknown] : []),
    ...valuesOf(key, entry),
  ]);
}

it('the document refers only to what it contains', () => {
  const references = valuesOf('$ref', DOCUMENT) as string[];
  expect(references.length).toBeGreaterThan(0);
  for (const reference of references) {
    const [root, place, kind = '', name = ''] = reference.split('/');
    expect([root, place], reference).toEqual(['#', 'components']);
    expect(DOCUMENT.components[kind]?.[name], reference).toBeDefined();
  }
});

it('the document has every call once, each with its path parameters', () => {
  const names = CALLS.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  for (const { path, parameters, operationId } of CALLS) {
    const inPath = (resolved(parameters) as { in?: string; name?: string }[]).filter(
      (one) => one.in === 'path',
    );
    const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(
      inPath.map(({ name }) => name),
      operationId,
    ).toEqual(expected);
  }
});

it('the page of the API shows what calls share, except headers', () => {
  const fieldsOf = (id: string) => documentedCall(DOCUMENT, id)?.fields ?? [];
  expect(fieldsOf('listNutrition').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['page', 'start']),
  );
  expect(fieldsOf('deleteNutrition')).toMatchObject([{ name: 'id', place: 'path', isRequired: true }]);
});

it('the document describes access in OpenAPI’s own terms, too', () => {
  for (const { security, 'x-access': access, operationId } of CALLS)
    expect(security ?? DOCUMENT.security, operationId).toEqual(
      access === 'public' ? [] : [{ bearer: [] }, { session: [] }],
    );
});

it('the page of the API lists every call once, and finds them by words of their name, address and fields', () => {
  const { total, groups } = apiContents(DOCUMENT);
  const listed = groups.flatMap(({ calls }) => calls.map(({ id }) => id));
  expect(listed.toSorted()).toEqual(CALLS.map(({ operationId }) => operationId).toSorted());
  expect(total).toBe(CALLS.length);
  const found = (search: string) =>
    apiContents(DOCUMENT, search).groups.flatMap(({ calls }) => calls.map(({ id }) => id));
  expect(found('DEADSPACEML')).toContain('changeProfile');
  expect(found('ceilings nowhere')).toEqual([]);
  expect(found('put ceilings')).toEqual(['setCeiling']);
  expect(documentedCall(DOCUMENT, '__proto__')).toBeNull();
});

type Content = Record<
  string,
  { schema: Record<string, unknown>; example?: unknown; examples?: { done: { value: unknown } } }
>;

describe.each(CALLS.map((call) => [call.operationId, call] as const))('the examples of %s', (_, call) => {
  it('are right', () => {
    const shown = documentedCall(DOCUMENT, call.operationId)?.gives;
    const status = Math.min(
      ...Object.keys(call.responses)
        .map(Number)
        .filter((one) => one >= 200),
    );
    if (shown != null) expect(faultsOf(call, status, JSON.parse(shown))).toEqual([]);
    const sent = (call.requestBody?.['content'] as Content | undefined)?.['application/json'];
    if (sent) {
      const check = z.fromJSONSchema(resolved(sent.schema) as Record<string, unknown>);
      expect(check.safeParse(sent.example).error?.issues ?? []).toEqual([]);
    }
    for (const [status, response] of Object.entries(resolved(call.responses) as Record<string, object>)) {
      const json = (response as { content?: Content }).content?.['application/json'];
      const example = json?.examples?.done.value ?? json?.example;
      if (example !== undefined) expect(faultsOf(call, Number(status), example)).toEqual([]);
    }
  });
});

it('the document describes every call, with an example', () => {
  for (const call of CALLS) {
    expect(call.description.length, call.operationId).toBeGreaterThan(10);
    const example = documentedCall(DOCUMENT, call.operationId)?.gives;
    const isFile = example == null;
    expect(
      isFile ? valuesOf('schema', resolved(call.responses)) : example,
      call.operationId,
    ).not.toHaveLength(0);
  }
});

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; anyOf?: Schema[] };

/** Every schema of a document, at any depth, with its place. */
function schemasIn(part: unknown, place = '', isSchema = false): [string, Schema][] {
  if (typeof part !== 'object' || part === null) return [];
  const own: [string, Schema][] = isSchema && !Array.isArray(part) ? [[place, part as Schema]] : [];
  return own.concat(
    Object.entries(part).flatMap(([name, inner]: [string, unknown]) => {
      if (['example', 'examples', 'value', 'enum', 'const', 'required'].includes(name)) return [];
      const areSchemas = /\/(?:schemas|properties|anyOf|allOf)$/.test(place);
      return schemasIn(inner, `${place}/${name}`, areSchemas || ['schema', 'items'].includes(name));
    }),
  );
}

const OLDER = JSON.parse(JSON.stringify(inVersion30(DOCUMENT))) as typeof DOCUMENT;

describe.each([
  ['3.1', DOCUMENT],
  ['3.0', OLDER],
])('the document in %s', (_, document) => {
  const schemas = schemasIn(document);

  it('describes every field, parameter and heading', () => {
    expect(schemas.length).toBeGreaterThan(1000);
    const named = document.components['schemas'] as Record<string, Schema>;
    const isDescribed = ({ description, $ref }: Schema) =>
      description ?? named[String($ref).split('/').at(-1) ?? '']?.['description'];
    for (const [place, schema] of schemas)
      for (const [name, property] of Object.entries(schema.properties ?? {}))
        expect(isDescribed(property), `${place}/${name}`).toBeTruthy();
    for (const [name, schema] of Object.entries(named)) expect(schema['description'], name).toBeTruthy();
    for (const { parameters } of CALLS)
      for (const { name, description } of resolved(parameters) as Schema[])
        expect(description, String(name)).toBeTruthy();
    for (const { name, description } of document.tags) expect(description, name).toBeTruthy();
  });

  it('has one type for a field, and numbers are doubles', () => {
    for (const [place, schema] of schemas) {
      const { type, anyOf = [], enum: values, format } = schema;
      const types = ([type].flat() as string[]).filter((one) => one !== 'null');
      expect(types.length, place).toBeLessThan(2);
      if ('const' in schema || values !== undefined) expect(type, place).toBeDefined();
      if (types.includes('number')) expect(format, place).toBe('double');
      // Only beside a named record is null a choice of its own.
      const plain = anyOf.filter((choice) => choice['type'] !== 'null' && choice['$ref'] === undefined);
      if (anyOf.some((choice) => choice['type'] === 'null')) expect(plain, place).toEqual([]);
    }
  });

  it('refers only to what it contains, and contains nothing idle', () => {
    const references = new Set((valuesOf('$ref', document) as string[]).map((one) => one.slice(13)));
    const parts = Object.entries(document.components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `${kind}/${name}`),
    );
    expect(parts.filter((part) => !part.startsWith('securitySchemes')).toSorted()).toEqual(
      [...references].map((one) => one.replace(/^\//, '')).toSorted(),
    );
  });
});

it('the document in 3.0 has only words of 3.0', () => {
  expect(OLDER.openapi).toBe('3.0.3');
  expect(Object.keys(OLDER.paths)).toEqual(Object.keys(DOCUMENT.paths));
  expect(OLDER).not.toHaveProperty('webhooks');
  for (const [place, schema] of schemasIn(OLDER)) {
    for (const word of ['const', 'examples', 'propertyNames']) expect(schema, place).not.toHaveProperty(word);
    expect(Array.isArray(schema['type']), place).toBe(false);
    if (schema['$ref'] !== undefined) expect(Object.keys(schema), place).toEqual(['$ref']);
    if (schema['nullable'] !== undefined) expect(schema['type'] ?? schema.anyOf, place).toBeDefined();
    expect(['undefined', 'boolean'], place).toContain(typeof schema['exclusiveMinimum']);
  }
});

it('no schema has the name of a parameter, because some languages have one name for both', () => {
  const { schemas = {}, parameters = {} } = DOCUMENT.components;
  expect(Object.keys(schemas).filter((name) => Object.hasOwn(parameters, name))).toEqual([]);
});

it('an amount in an answer is a number', () => {
  const isAmount = (name: string) => /(?:Mg|Ml|Amount|Dose|^mark)$/.test(name);
  const texts = schemasIn(DOCUMENT).flatMap(([place, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([name, { type }]) => isAmount(name) && [type].flat().includes('string'))
      .map(([name]) => `${place}/properties/${name}`.split('/schemas/').at(-1)),
  );
  expect(texts).toEqual([]);
});

it('the document has every message to webhooks', () => {
  expect(Object.keys(DOCUMENT.webhooks)).toEqual([...WEBHOOK_TYPES]);
});

it('every code of a failure is one of the codes of the document', () => {
  const { enum: codes = [] } = DOCUMENT.components['schemas']?.['ErrorCode'] as { enum?: string[] };
  const named = JSON.stringify(DOCUMENT.components['responses']).matchAll(/`([A-Z_]{4,})`/g);
  for (const [, code = ''] of named) expect(codes).toContain(code);
});

it('the glossary has no idle words', () => {
  const fields = new Set(schemasIn(DOCUMENT).flatMap(([, { properties = {} }]) => Object.keys(properties)));
  const parameters = CALLS.flatMap((call) => (resolved(call.parameters) as Schema[]).map(({ name }) => name));
  const nouns = new Set([
    ...Object.keys(DOCUMENT.components['schemas'] ?? {}),
    ...DOCUMENT.tags.map(({ name }) => name),
  ]);
  const known = new Set([...fields, ...parameters, ...nouns]);
  const idle = GLOSSARY_WORDS.filter((word) => {
    const [noun = '', field] = word.split('.');
    return field === undefined ? !known.has(noun) : !nouns.has(noun) || !fields.has(field);
  });
  expect(idle).toEqual([]);
});
