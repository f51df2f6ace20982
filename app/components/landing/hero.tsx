import { Calculator, type CalculatorValues } from '../calculator/index.ts';

const EMPTY: CalculatorValues = {};

/** The working calculator is the first thing on the page. Its answer has an address of its own, `/calculator`. */
export function Hero({ signInHref = '/login' }: { signInHref?: string }) {
  return (
    <section aria-labelledby="hero-title">
      <h1 id="hero-title" className="pt-3 pb-1">
        From powder to the mark on the syringe
      </h1>
      <p className="hidden pb-4 text-lg text-soft sm:block">
        Type what is in the vial and the dose. No account, no rounding on the way.
      </p>
      <div className="pt-1 sm:pt-0">
        <Calculator
          action="/calculator"
          clearHref="/"
          values={EMPTY}
          result={null}
          errors={null}
          save={{ kind: 'signed-out', signInHref }}
        />
      </div>
    </section>
  );
}
