import { LinkButton } from '../ui/button.tsx';
import { ComingSoon } from './coming-soon.tsx';
import { Features } from './features.tsx';
import { Hero } from './hero.tsx';
import { MarginSection } from './margin-section.tsx';
import { Pricing } from './pricing.tsx';

/** The page of a stranger: the calculator, what an account adds, what it costs, what comes. */
export function Landing({ demoHref }: { demoHref: string }) {
  return (
    <>
      <Hero />
      <div className="mt-12">
        <Features />
        <Pricing />
        <ComingSoon demoHref={demoHref} />
        <MarginSection id="begin" title="Begin">
          <p className="mb-4">The calculator needs no account. To keep what you calculate, make one.</p>
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
