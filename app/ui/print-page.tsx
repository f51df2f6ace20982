import { useEffect, type ReactNode } from 'react';
import { Button, LinkButton } from './button.tsx';
import { useHydrated } from './hydration.ts';
import { Icon } from './icon.tsx';

interface PrintPageProps {
  title: string;
  /** The same as a PDF file. */
  fileHref: string;
  backHref: string;
  children: ReactNode;
}

/** The page is visible for half a second before the print dialog covers it. */
const PRINT_DELAY_MS = 500;

/** Opens the print dialog; absent without scripts, where the browser's own menu does it. */
export function PrintButton() {
  if (!useHydrated()) return null;
  return (
    <Button type="button" variant="primary" onClick={() => window.print()}>
      <Icon name="print" size={16} />
      Print
    </Button>
  );
}

/** A page without the usual frame, made for printing. */
export function PrintPage({ title, fileHref, backHref, children }: PrintPageProps) {
  useEffect(() => {
    const timer = setTimeout(() => window.print(), PRINT_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <main className="report mx-auto max-w-5xl bg-sheet px-4 py-8">
      <div className="no-print mb-6 flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">Print this page, or choose “Save as PDF” in the print dialog.</p>
        <div className="flex flex-wrap gap-3">
          <a href={fileHref} className="btn">
            Download PDF file
          </a>
          <LinkButton to={backHref}>Back</LinkButton>
        </div>
      </div>
      <h1>{title}</h1>
      {children}
    </main>
  );
}
