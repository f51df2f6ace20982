import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from '@remix-run/react';
import type { Toast } from '#app/ui/toasts.tsx';
import { BrandMark, MAIN_ID } from '#app/ui/shell/page-frame.tsx';
import { Button } from '#app/ui/button.tsx';
import { currentOffer, dropOffer, watchOffer, type InstallOffer } from './install-offer.ts';

/** A cookie that remembers "Not now" for half a year; it identifies nobody and outlives a sign-out. */
const DISMISSED = 'vialbook_install=later';
const HALF_A_YEAR = 15_552_000;

const wasDismissed = () => document.cookie.split('; ').includes(DISMISSED);

function dismiss(): void {
  document.cookie = `${DISMISSED}; Max-Age=${HALF_A_YEAR}; Path=/; SameSite=Lax`;
}

const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator === true && navigator.standalone === true);

/** Safari on iPhone and iPad installs only from its own menu. iPads identify as Macs, but have touch screens. */
function isAppleTouch(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1);
}

type Say = (type: Toast['type'], message: string) => void;

async function install(offer: InstallOffer | null, say: Say): Promise<void> {
  if (offer === null) return say('error', 'App installation not available');
  try {
    await offer.prompt();
    const { outcome } = await offer.userChoice;
    if (outcome === 'dismissed') dismiss();
  } catch {
    say('error', 'Failed to install app');
  }
  dropOffer();
}

/** The main part of the page that is shown, which another page may replace. */
function useMain(): HTMLElement | null {
  const { key } = useLocation();
  const [main, setMain] = useState<HTMLElement | null>(null);
  useEffect(() => setMain(document.getElementById(MAIN_ID)), [key]);
  return main;
}

/** Offers to install the app, if the browser or its menu can, at the end of the page's main part. After "Not now" it is hidden for half a year. */
export function InstallCard({ say }: { say: Say }) {
  const offer = useSyncExternalStore(watchOffer, currentOffer, () => null);
  const [hidden, setHidden] = useState(() => isInstalled() || wasDismissed());
  const main = useMain();
  const byHand = offer === null && isAppleTouch();
  if (hidden || (offer === null && !byHand)) return null;
  const notNow = () => {
    dismiss();
    setHidden(true);
  };
  const card = (
    <aside aria-labelledby="install-title" className="install-card no-print">
      <BrandMark size={40} />
      <div>
        <h2 id="install-title" className="text-base">
          Vialbook on this device
        </h2>
        <p className="text-sm text-soft">
          {byHand ? 'Tap Share, then “Add to Home Screen”. ' : ''}It opens like an app, and the calculator and
          today’s doses work without a connection.
        </p>
      </div>
      <div className="install-buttons flex flex-wrap gap-2">
        {byHand ? null : (
          <Button type="button" variant="primary" onClick={() => void install(offer, say)}>
            Install
          </Button>
        )}
        <Button type="button" variant="plain" onClick={notNow}>
          Not now
        </Button>
      </div>
    </aside>
  );
  return main === null ? card : createPortal(card, main);
}
