import { jsonWriter } from '#app/domain/export/json.ts';
import type { ExportMetadata } from '#app/domain/export/export-metadata.ts';
import type { ExportSection } from './export-rows.server.ts';

/** The JSON file, piece by piece: metadata when asked for, then a list for each chosen type; one record a line. */
export async function* writeJson(
  sections: readonly ExportSection[],
  metadata: ExportMetadata | null,
): AsyncGenerator<string> {
  let before = '{\n';
  if (metadata !== null) {
    yield `${before}"metadata": ${JSON.stringify(metadata)}`;
    before = ',\n';
  }
  for (const { type, batches } of sections) {
    const write = jsonWriter(type);
    yield `${before}${JSON.stringify(type)}: [`;
    before = ',\n';
    let isFirst = true;
    for await (const batch of batches) {
      if (batch.length === 0) continue;
      yield `${isFirst ? '\n' : ',\n'}${batch.map(write).join(',\n')}`;
      isFirst = false;
    }
    yield isFirst ? ']' : '\n]';
  }
  yield '\n}\n';
}
