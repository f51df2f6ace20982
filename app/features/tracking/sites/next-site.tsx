import { Link } from '@remix-run/react';

/** Which site to take next, and why. */
export function NextSite({ title, reason }: { title: string; reason: string }) {
  return (
    <section className="next-site" aria-label="Next site">
      <p>Next site</p>
      <p className="next-site-name">{title}</p>
      <p>
        {reason}{' '}
        <Link to="/dashboard/tracking/site-choice" className="inline-block py-1">
          Choose your sites
        </Link>
      </p>
    </section>
  );
}
