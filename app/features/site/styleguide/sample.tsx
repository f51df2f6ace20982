import type { ReactNode } from 'react';

/** One piece of the interface with the name of its file, in all the states it has. */
export function Sample({ file, children }: { file: string; children: ReactNode }) {
  return (
    <section aria-label={file} className="specimen">
      <h3 className="figure">{file}</h3>
      <div>{children}</div>
    </section>
  );
}
