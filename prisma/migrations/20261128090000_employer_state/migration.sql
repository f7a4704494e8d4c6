-- Whether the accounts that an agent works for are active: the owner of the team and the owner of the site.
CREATE FUNCTION employer_is_active(parent_id integer, site_id integer) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT NOT EXISTS (
    SELECT FROM users employer
     WHERE employer.id = ANY (ARRAY[parent_id, (SELECT user_id FROM sites WHERE id = site_id)])
       AND NOT employer.is_active)
$$;
