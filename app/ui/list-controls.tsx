import { useMemo, type ComponentProps } from 'react';
import { Form, useNavigationType, type FormProps } from '@remix-run/react';
import { AddressContext, Select } from './fields.tsx';
import { LinkButton } from './button.tsx';

/** A GET form that filters or sorts its page, or sets its dates. Its fields follow the address. */
export function FilterForm(props: Omit<FormProps, 'method'>) {
  const isHistory = useNavigationType() === 'POP';
  const address = useMemo(() => ({ isHistory }), [isHistory]);
  return (
    <AddressContext.Provider value={address}>
      <Form method="get" {...props} />
    </AddressContext.Provider>
  );
}

/** The sort order of a list, in a GET form with a button. With scripts, choosing an order submits the form. */
export function SortSelect(select: ComponentProps<typeof Select>) {
  return <Select {...select} onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()} />;
}

interface PaginationProps {
  /** What is paged, used to name the landmark: "Saved calculations". */
  label: string;
  /** "1–20 of 53", or less if counting is expensive. */
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Previous and next as plain links; nothing if there is only one page. */
export function Pagination({ label, position, previousHref, nextHref }: PaginationProps) {
  if (!previousHref && !nextHref) return null;
  return (
    <nav
      aria-label={`${label}, pages`}
      className="no-print flex flex-wrap items-center justify-between gap-3 py-4"
    >
      {previousHref ? (
        <LinkButton to={previousHref} rel="prev">
          Previous
        </LinkButton>
      ) : (
        <span />
      )}
      {position ? <span className="figure text-sm text-soft">{position}</span> : null}
      {nextHref ? (
        <LinkButton to={nextHref} rel="next">
          Next
        </LinkButton>
      ) : (
        <span />
      )}
    </nav>
  );
}
