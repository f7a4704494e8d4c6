/**
 * Builds an SQL condition on a row of `users`: false for an agent while the owner of the team or the site is
 * passive. The `case` avoids the function call for other accounts.
 */
export const employerActiveSql = (alias: string) =>
  `case when ${alias}.is_agent_only then employer_is_active(${alias}.parent_user_id, ${alias}.assigned_site_id) else true end`;
