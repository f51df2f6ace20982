import { lazy } from 'react';
import { Calculator, type CalculatorValues, type Example } from '#app/features/calculator/index.ts';
import { DemoForm } from '#app/features/demo/index.ts';

interface LandingProps {
  /** The sections below, as HTML from the server. */
  sections: string;
  /** The demo is switched on. */
  hasDemo?: boolean;
  example?: Example;
}

/** The home page for visitors: the calculator, the demo, and the sections below. */
export function Landing({ sections, hasDemo, example }: LandingProps) {
  return (
    <>
      <section aria-labelledby="hero-title">
        <h1 id="hero-title" className="hero-title">
          From powder to the mark on the syringe
        </h1>
        <p className="hero-text">
          Enter what is in the vial and the dose you want, and see the units to draw as you type. No account,
          no trackers, no rounding along the way.
        </p>
        <Calculator
          action="/calculator"
          clearHref="/"
          values={EMPTY_VALUES}
          result={null}
          errors={null}
          save={{ kind: 'signed-out', signInHref: '/login' }}
          example={example}
        />
      </section>
      {hasDemo ? (
        <div className="mt-10">
          <p className="mb-3">See a year of data, no email needed:</p>
          <DemoForm />
        </div>
      ) : null}
      <div className="mt-16" dangerouslySetInnerHTML={{ __html: sections }} />
    </>
  );
}

const EMPTY_VALUES: CalculatorValues = {};

/** The demo dialog. Its code is loaded only when it is opened. */
export const LazyDemoDialog = lazy(() =>
  import('./demo-dialog.tsx').then((module) => ({ default: module.DemoDialog })),
);
