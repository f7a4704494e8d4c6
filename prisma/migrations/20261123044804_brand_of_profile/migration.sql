-- What a profile shows of the brand above an account, as [name, logo, colour, key of the reseller's logo]: the parent's own, else the reseller's.
-- A function, so that the plan of the most frequent read holds these tables for nobody who has nobody above.
CREATE FUNCTION "brand_above"("of_parent" integer, "of_reseller" integer) RETURNS text[]
  LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT ARRAY[coalesce(above.app_name, b.product_name), above.app_logo_url, coalesce(above.app_primary_color, b.color), b.logo_path]
      FROM (SELECT 1) AS one
      LEFT JOIN users above ON above.id = of_parent
      LEFT JOIN brands b ON b.user_id =
        coalesce(of_reseller, CASE WHEN above.role = 'reseller' THEN above.id ELSE above.reseller_id END));
END $$;
