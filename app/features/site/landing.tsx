import type { Example } from '#app/features/calculator/index.ts';
import { LinkButton } from '#app/ui/button.tsx';
import { ComingSoon } from './coming-soon.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { MarginSection } from '#app/ui/margin-section.tsx';
import { Pricing } from './pricing.tsx';

/** The page of a stranger: the calculator, what an account adds, what it costs, what comes. */
export function Landing({ demoHref, example }: { demoHref: string; example?: Example }) {
  return (
    <>
      <Hero example={example} />
      <div className="mt-16">
        <Features />
        <Pricing />
        <ComingSoon demoHref={demoHref} />
        <MarginSection id="begin" title="Begin">
          <p className="mb-4 max-w-prose">
            The calculator needs no account. To keep what you calculate, and to be told what is due, make one.
          </p>
          <div className="flex flex-wrap gap-3">
            <LinkButton to="/register?plan=trial">Start free trial</LinkButton>
            <LinkButton to="/login" variant="plain">
              Sign in
            </LinkButton>
          </div>
        </MarginSection>
      </div>
    </>
  );
}
