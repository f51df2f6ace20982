import { useMemo, type ComponentProps } from 'react';
import { Form, useNavigationType, type FormProps } from '@remix-run/react';
import { AddressContext, Select } from './fields.tsx';
import { LinkButton } from './button.tsx';

/** A form that narrows, orders or dates what its page shows, as a GET of it. Its fields follow the address. */
export function FilterForm(props: Omit<FormProps, 'method'>) {
  const isHistory = useNavigationType() === 'POP';
  const address = useMemo(() => ({ isHistory }), [isHistory]);
  return (
    <AddressContext.Provider value={address}>
      <Form method="get" {...props} />
    </AddressContext.Provider>
  );
}

/** The order of a list, in a GET form with a button. With scripts the list follows as soon as an order is chosen. */
export function SortSelect(select: ComponentProps<typeof Select>) {
  return <Select {...select} onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()} />;
}

interface PaginationProps {
  /** What is paged, for the name of the landmark: "Saved calculations". */
  label: string;
  /** "1–20 of 53" or whatever can be said cheaply. */
  position?: string;
  previousHref?: string;
  nextHref?: string;
}

/** Previous and next as plain links; nothing when there is one page. */
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
