/**
 * SQL condition on a row of `users`: false for an agent whose team owner, or the owner of whose site, is passive. An agent
 * works in data of those accounts, so their state applies to the agent, too. The function of the database is only called
 * for agents.
 */
export const isEmployerActive = (user: string) =>
  `case when ${user}.is_agent_only then employer_is_active(${user}.parent_user_id, ${user}.assigned_site_id) else true end`;
