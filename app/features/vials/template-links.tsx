import { Link } from '@remix-run/react';

/** Vials to start from. */
export function TemplateLinks({ templates }: { templates: readonly { name: string; href: string }[] }) {
  return (
    <nav aria-label="Templates" className="flex flex-wrap items-center gap-x-5">
      <span className="text-soft">Start from</span>
      {templates.map(({ name, href }) => (
        <Link key={name} to={href} className="inline-flex min-h-11 items-center">
          {name}
        </Link>
      ))}
    </nav>
  );
}
