import { createContext, useContext } from 'react';

/** What a server offers, which its operator decides. */
export interface Site {
  /** Its address, such as https://vialbook.example. */
  origin: string;
  /** False where nothing is sold: no page mentions plans, prices, trials or referrals. */
  isSelling: boolean;
  /** Whether anybody may create an account. */
  hasSignUp: boolean;
  /** Whether people sign in with passwords; administrators always can. */
  hasPasswords: boolean;
  /** Where people can sign in besides here. */
  providers: readonly { id: string; name: string }[];
}

/** Provided by the root route. */
export const SiteContext = createContext<Site>({
  origin: '',
  isSelling: true,
  hasSignUp: true,
  hasPasswords: true,
  providers: [],
});

/** The way to an account here; null where nobody can sign up. */
export function startOf({
  isSelling,
  hasSignUp,
}: Pick<Site, 'isSelling' | 'hasSignUp'>): { label: string; href: string } | null {
  if (!hasSignUp) return null;
  return isSelling
    ? { label: 'Start free trial', href: '/register?plan=trial' }
    : { label: 'Create an account', href: '/register' };
}

export const useSite = (): Site => useContext(SiteContext);
