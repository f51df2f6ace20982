import { currentApp } from '#app/platform/http/current-app.server.ts';
import { openApiDocument, type OpenApiDocument } from './openapi/document.ts';
import { OPERATIONS } from '#app/server/operations.server.ts';

let made: { appUrl: string; document: OpenApiDocument } | undefined;

/** The document of this server's API; the same as long as the process runs. */
export function currentDocument(): OpenApiDocument {
  const { APP_URL } = currentApp().settings;
  if (made?.appUrl !== APP_URL) made = { appUrl: APP_URL, document: openApiDocument(OPERATIONS, APP_URL) };
  return made.document;
}
