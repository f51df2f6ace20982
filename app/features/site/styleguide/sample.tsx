import type { ReactNode } from 'react';

/** One component in all its states, under the name of its file. */
export function Sample({ file, children }: { file: string; children: ReactNode }) {
  return (
    <section aria-label={file} className="specimen">
      <h3 className="figure">{file}</h3>
      <div>{children}</div>
    </section>
  );
}
