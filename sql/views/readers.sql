-- The last file: who may read what stands in all the others.
select postrider.grant_reader();
