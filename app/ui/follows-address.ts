import { createContext, useContext, useEffect, useRef, type RefObject } from 'react';

/**
 * Inside a form that filters the page by its address: whether that was reached by a step in the history. Null in every
 * other form, whose fields keep what was typed.
 */
export const AddressContext = createContext<{ isHistory: boolean } | null>(null);

/**
 * Lets a field of such a form show what the address says when that has changed: after a link that clears the filters, or
 * a step back. The element stays, so that whoever searches by keyboard still stands in it, and so does what was typed in
 * it since the form was sent.
 * @param value what the address says: its text, or whether it is checked
 */
export function useFollowsAddress<Element extends HTMLInputElement | HTMLSelectElement>(
  value: unknown,
): RefObject<Element> {
  const element = useRef<Element>(null);
  const shown = useRef(value);
  const address = useContext(AddressContext);
  useEffect(() => {
    if (shown.current === value) return;
    shown.current = value;
    const { current } = element;
    if (address === null || current === null) return;
    if (!address.isHistory && document.activeElement === current) return;
    if (typeof value === 'string') current.value = value;
    if (typeof value === 'boolean' && current instanceof HTMLInputElement) current.checked = value;
  }, [value, address]);
  return element;
}
