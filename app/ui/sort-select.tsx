import type { ComponentProps } from 'react';
import { Select } from './field.tsx';

/** The order of a list, in a GET form with a button. With scripts the list follows as soon as an order is chosen. */
export function SortSelect(select: ComponentProps<typeof Select>) {
  return <Select {...select} onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()} />;
}
