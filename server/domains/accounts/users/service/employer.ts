/**
 * SQL condition on a row of `users`: false for an agent while the owner of the team or of the site is
 * passive. Agents work with data of those accounts. Calls the database function for agents only.
 */
export const isEmployerActive = (user: string) =>
  `case when ${user}.is_agent_only then employer_is_active(${user}.parent_user_id, ${user}.assigned_site_id) else true end`;
