-- Places at limits of jobs that are over are found by their age.
create index bucket_place_age on postrider.bucket_place (since);
