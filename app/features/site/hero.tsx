import { Calculator, type CalculatorValues, type Example } from '#app/features/calculator/index.ts';

const EMPTY: CalculatorValues = {};

/** The working calculator is the first thing on the page. Its answer has an address of its own, `/calculator`. */
export function Hero({ signInHref = '/login', example }: { signInHref?: string; example?: Example }) {
  return (
    <section aria-labelledby="hero-title">
      <h1 id="hero-title" className="hero-title">
        From powder to the mark on the syringe
      </h1>
      <p className="hero-text">
        Type what is in the vial and the dose: the units to draw stand beside it as you type. No account, no
        tracker, no rounding on the way.
      </p>
      <Calculator
        action="/calculator"
        clearHref="/"
        values={EMPTY}
        result={null}
        errors={null}
        save={{ kind: 'signed-out', signInHref }}
        example={example}
      />
    </section>
  );
}
