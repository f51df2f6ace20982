import * as z from 'zod';
import type { OpenApiDocument, OpenApiOperation } from '#app/platform/api/openapi/model.ts';
import { openApiDocument } from '#app/platform/api/openapi/document.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';

type Json = Record<string, unknown>;

/** One call of the document, with its path and method. */
export interface DocumentedCall extends OpenApiOperation {
  method: string;
  path: string;
}

/** The document as the server returns it, except for its address. */
export const DOCUMENT = JSON.parse(
  JSON.stringify(openApiDocument(OPERATIONS, 'http://localhost:3000')),
) as OpenApiDocument;

/** Every call of the document. */
export const CALLS: readonly DocumentedCall[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, call]) => ({ ...call, method: method.toUpperCase(), path })),
);

/** The path with its `{names}` filled in. */
export function addressOf({ path }: DocumentedCall, params: Record<string, string> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none'));
}

/** Resolves references into the document. */
export function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref === undefined)
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, resolved(entry)]));
  const [, , kind = '', name = ''] = $ref.split('/');
  return resolved(DOCUMENT.components[kind]?.[name]);
}

type Objects = { properties?: Json; additionalProperties?: unknown };

/** The same schema without fields that it does not name: answers may have further ones for clients, but not for our tests. */
function exact(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(exact);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, additionalProperties } = schema as Objects;
  const isOpen = properties !== undefined && additionalProperties === undefined;
  const parts = Object.entries(schema).map(([name, part]) => [name, exact(part)]);
  return { ...(Object.fromEntries(parts) as Json), ...(isOpen && { additionalProperties: false }) };
}

/** The response of a call to a status; undefined if the document lacks it. */
export function responseOf(call: DocumentedCall, status: number): Json | undefined {
  return resolved(
    call.responses[String(status)] ?? (status >= 400 ? call.responses['default'] : undefined),
  ) as Json | undefined;
}

const checks = new Map<string, z.ZodType>();

/** How a response differs from the document; empty if it doesn't. */
export function faultsOf(call: DocumentedCall, status: number, body: unknown): string[] {
  const response = responseOf(call, status);
  if (response === undefined) return [`${call.operationId}: status ${status} is not in the document`];
  const content = (response['content'] as Record<string, { schema: Json }> | undefined)?.['application/json'];
  if (content === undefined) return [];
  const key = `${call.operationId} ${status}`;
  const check = checks.get(key) ?? z.fromJSONSchema(exact(content.schema) as Json);
  checks.set(key, check);
  const { error } = check.safeParse(body);
  return (error?.issues ?? []).map(({ path, message }) => `${key}: ${path.join('.')}: ${message}`);
}
