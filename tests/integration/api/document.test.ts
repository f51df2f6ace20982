import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { documentationOf } from '#app/platform/api/openapi/page.ts';
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
  const { groups } = documentationOf(DOCUMENT);
  const fieldsOf = (id: string) =>
    groups.flatMap(({ calls }) => calls.filter((call) => call.id === id).flatMap(({ fields }) => fields));
  expect(fieldsOf('listNutrition').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['page', 'start']),
  );
  expect(fieldsOf('deleteNutrition')).toMatchObject([{ name: 'id', place: 'path', isRequired: true }]);
});

it('the document describes access in OpenAPI’s own terms, too', () => {
  for (const { security, 'x-access': access, operationId } of CALLS)
    expect(security, operationId).toEqual(access === 'public' ? [] : [{ bearer: [] }, { session: [] }]);
});

type Content = Record<
  string,
  { schema: Record<string, unknown>; example?: unknown; examples?: { done: { value: unknown } } }
>;

describe.each(CALLS.map((call) => [call.operationId, call] as const))('the examples of %s', (_, call) => {
  it('are right', () => {
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
    const examples = ['example', 'examples'].flatMap((name) => [
      ...valuesOf(name, resolved(call.responses)),
      ...valuesOf(name, call.parameters),
    ]);
    expect(examples.length, call.operationId).toBeGreaterThan(0);
  }
});
