import { currentApp } from '#app/platform/http/current-app.server.ts';
import { openApiDocument, type OpenApiDocument } from './openapi/document.ts';
import type { Operation } from './operation.ts';

let made: { appUrl: string; document: OpenApiDocument } | undefined;

/** The document of this server's API; the same for as long as the process runs. */
export function currentDocument(operations: readonly Operation[]): OpenApiDocument {
  const { APP_URL } = currentApp().settings;
  if (made?.appUrl !== APP_URL) made = { appUrl: APP_URL, document: openApiDocument(operations, APP_URL) };
  return made.document;
}
