import { Link } from '@remix-run/react';
import type { CalculationResult } from '#app/domain/calculator/calculation.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Measured } from '#app/ui/measurement.tsx';

/** A worked example for the empty calculator: never mistaken for an answer, gone with the first digit. */
export interface Example {
  /** "5 mg in 2 ml, 250 mcg a dose" */
  words: string;
  result: CalculationResult;
  /** The calculator with these figures in it. */
  href: string;
}

/** Beside the panel's title while the example is shown. */
export function ExampleBadge() {
  return <Badge tone="soft">Example</Badge>;
}

/** What the example is of, and the way to work with it. */
export function ExampleNote({ example }: { example: Example }) {
  return (
    <div className="grid gap-1">
      <p>
        <Measured text={`For example ${example.words}. Your own result appears here as you type.`} />
      </p>
      <p>
        <Link to={example.href} className="inline-flex min-h-11 items-center">
          Open this example
        </Link>
      </p>
    </div>
  );
}
