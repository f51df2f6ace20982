import { Form, Link, useRevalidator, useSearchParams } from '@remix-run/react';
import { useEffect } from 'react';
import { Button } from '#app/ui/button.tsx';
import { EnableNotifications } from './browser-notifications.tsx';

/** A subscribed browser. */
export interface PushBrowserRow {
  id: string;
  browser: string;
  /** "9 Mar 2026, 08:30" */
  since: string;
  /** When it last showed a push, in the same form; null before the first. */
  proven: string | null;
}

const PATH = '/dashboard/profile/notifications';

/** After a test, how often and how many times the page looks whether the browser has shown it. */
const LOOK_MS = 2000;
const MOST_LOOKS = 15;

/** Shows the time of a test as soon as the browser has confirmed it. Without scripts the page is reloaded by hand. */
function useTestResult(): void {
  const { revalidate } = useRevalidator();
  const [query] = useSearchParams();
  const isTested = query.has('tested');
  useEffect(() => {
    if (!isTested) return;
    let looks = 0;
    const looking = setInterval(() => {
      looks += 1;
      if (looks >= MOST_LOOKS) clearInterval(looking);
      revalidate();
    }, LOOK_MS);
    return () => clearInterval(looking);
  }, [isTested, revalidate]);
}

/** The subscribed browsers with the last proof that one showed a push, a test for each, and a button to add this one. */
export function PushBrowsers({ browsers }: { browsers: readonly PushBrowserRow[] }) {
  useTestResult();
  return (
    <section aria-labelledby="push-browsers" className="sheet mt-8">
      <h2 id="push-browsers" className="px-4 pt-4">
        Push notifications
      </h2>
      <EnableNotifications />
      {browsers.length === 0 ? (
        <p className="px-4 pb-4 text-soft">No browser receives push notifications yet.</p>
      ) : (
        <ul>
          {browsers.map(({ id, browser, since, proven }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 border-t border-line px-4 py-2">
              <div className="min-w-0 flex-1">
                <p>{`${browser}, since ${since}`}</p>
                <p className="text-sm text-soft">
                  {proven === null ? 'No delivery proven yet' : `Last proven delivery ${proven}`}
                </p>
              </div>
              <Form method="post" action={PATH}>
                <input type="hidden" name="intent" value="test" />
                <input type="hidden" name="id" value={id} />
                <Button>
                  Test<span className="sr-only">{` ${browser}`}</span>
                </Button>
              </Form>
              <Link to={`${PATH}/${id}/remove`} className="inline-flex min-h-11 items-center">
                Turn off<span className="sr-only">{` ${browser}`}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
