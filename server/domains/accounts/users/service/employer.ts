/** False for an agent while the owner of the team or site is passive. `case` saves the call for others. */
export const employerActiveSql = (alias: string) =>
  `case when ${alias}.is_agent_only then employer_is_active(${alias}.parent_user_id, ${alias}.assigned_site_id) else true end`;
