/**
 * SQL condition on a row of `users`: false for an agent whose team owner, or the owner of whose site, is passive. An agent
 * works in data of those accounts, so their state applies to the agent, too. No lookup for other accounts.
 */
export const isEmployerActive = (user: string) => `
  case when ${user}.is_agent_only then not exists (
         select from users employer
          where employer.id = any(array[${user}.parent_user_id,
                                        (select user_id from sites where id = ${user}.assigned_site_id)])
            and not employer.is_active)
       else true end`;
