import type { MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PROFILE_PARTS, ProfileLinks, ProfileTitle, type ProfilePart } from '#app/features/accounts/index.ts';
import { AppError } from '#app/domain/errors.ts';
import { forUsers } from '#app/platform/http/route-handlers.server.ts';

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? PROFILE_PARTS[data.part] : 'Profile'} – Vialbook` },
];

const isPart = (name: string): name is ProfilePart => Object.hasOwn(PROFILE_PARTS, name);

export const loader = forUsers(({ params: { part = '' } }) => {
  if (!isPart(part)) throw new AppError('NOT_FOUND', 'There is no such page.');
  return { part };
});

/** A part of the profile that is only a list of other pages. */
export default function ProfilePartPage() {
  const { part } = useLoaderData<typeof loader>();
  return (
    <div className="max-w-2xl">
      <ProfileTitle>{PROFILE_PARTS[part]}</ProfileTitle>
      <ProfileLinks about={part} />
    </div>
  );
}
