import type { ReactNode } from 'react';
import { MarginSection } from '#app/ui/margin-section.tsx';

export interface LegalSection {
  id: string;
  title: string;
  paragraphs: readonly string[];
  /** Shown below the paragraphs, such as a list. */
  more?: ReactNode;
}

interface LegalPageProps {
  title: string;
  /** The day the text takes effect. */
  since: string;
  intro: string;
  sections: readonly LegalSection[];
}

/** A legal text in sections, with their headings in the margin. */
export function LegalPage({ title, since, intro, sections }: LegalPageProps) {
  return (
    <article>
      <header className="max-w-2xl py-6">
        <h1>{title}</h1>
        <p className="mt-1 text-sm text-soft">{`In effect since ${since}`}</p>
        <p className="mt-4 text-xl">{intro}</p>
      </header>
      {sections.map(({ id, title: heading, paragraphs, more }) => (
        <MarginSection key={id} id={id} title={heading}>
          <div className="prose">
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {more}
          </div>
        </MarginSection>
      ))}
    </article>
  );
}
