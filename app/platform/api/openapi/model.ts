import type { Operation } from '#app/platform/api/operation.ts';

/** An object of JSON. */
export type Json = Record<string, unknown>;

/** The API's OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Json[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  webhooks: Record<string, Record<string, Json>>;
  components: Record<string, Json>;
}

/** One call in the document. `x-access` and `x-scope` say who may make it. */
export interface OpenApiOperation extends Json {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters: Json[];
  requestBody?: Json;
  responses: Record<string, Json>;
  /** Empty for calls that need no sign-in; otherwise that of the document. */
  security?: Json[];
  'x-access': Operation['access'];
  /** Absent when reading is enough. */
  'x-scope'?: 'write';
  'x-session-only'?: true;
}
