-- The last file. It grants read access to the objects of all other files.
select postrider.grant_reader();
