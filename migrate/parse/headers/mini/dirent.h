#pragma once
#include <__mini_std.h>
struct dirent {
  unsigned long d_ino;
  unsigned char d_type;
  char d_name[256];
};
typedef struct __directory DIR;
DIR *opendir(const char *);
int closedir(DIR *);
dirent *readdir(DIR *);
