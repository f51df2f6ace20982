import { Link } from '@remix-run/react';

interface CalculatorLinksProps {
  /** Opens the research-dosages dialog over this page. */
  dosagesHref: string;
  /** This page with the recommendations panel shown, or hidden when it is shown. */
  recommendationsHref: string;
  recommendationsShown: boolean;
}

/** What stands under the inputs: two links that change only the address. */
export function CalculatorLinks({
  dosagesHref,
  recommendationsHref,
  recommendationsShown,
}: CalculatorLinksProps) {
  const link = 'inline-flex min-h-11 items-center';
  return (
    <div className="flex flex-wrap gap-x-6">
      <Link to={dosagesHref} preventScrollReset className={link}>
        Research dosages
      </Link>
      <Link
        to={recommendationsHref}
        preventScrollReset
        className={link}
        aria-expanded={recommendationsShown}
        aria-controls={recommendationsShown ? 'recommendations' : undefined}
      >
        {recommendationsShown ? 'Hide recommendations' : 'Show recommendations'}
      </Link>
    </div>
  );
}
