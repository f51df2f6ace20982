import { serveReader } from '#app/platform/threads/reader.server.ts';
import { readCatalogueTable, type CatalogueReading } from './catalogue-table.server.ts';

serveReader(({ text, currency }: CatalogueReading) => [readCatalogueTable(text, currency)]);
